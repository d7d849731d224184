"use strict";
// Unfold what a link leads to, with all that it lies in.
function unfold() {
  let place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = place; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  if (place) place.scrollIntoView();
}
addEventListener("hashchange", unfold);
if (location.hash) unfold();

// A link to the place where one is already changes no hash.
document.addEventListener("click", event => {
  const link = event.target.closest("a[href^='#']");
  if (link && link.hash === location.hash) unfold();
});

addEventListener("beforeprint", () => document.querySelectorAll("details.check").forEach(check => { check.open = true; }));

// Commands can be copied.
document.querySelectorAll("code.command").forEach(command => {
  const button = document.createElement("button");
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy the command");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(command.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(command);
      button.textContent = "Selected";
    }
  });
  command.after(button);
});

// The values of the point that is nearest to the pointer.
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.body.append(tip);

function nearest(plot, event) {
  let best = null, least = 30 ** 2;
  for (const dot of plot.querySelectorAll("circle")) {
    const box = dot.getBoundingClientRect();
    const far = (box.x + box.width / 2 - event.clientX) ** 2 + (box.y + box.height / 2 - event.clientY) ** 2;
    if (far < least) [best, least] = [dot, far];
  }
  return best;
}

function say(plot, dot, event) {
  plot.querySelectorAll("circle.near").forEach(other => other.classList.toggle("near", other === dot));
  tip.hidden = !dot;
  if (!dot) return;
  const own = dot.querySelector("title");
  if (own) { dot.dataset.said = own.textContent; own.remove(); }
  dot.classList.add("near");
  const name = dot.parentElement.dataset.name;
  tip.textContent = (name === undefined ? "" : name + " ") + dot.dataset.said;
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 4)) + "px";
  tip.style.top = Math.max(4, event.clientY - tip.offsetHeight - 10) + "px";
}

document.querySelectorAll("svg.plot").forEach(plot => {
  plot.addEventListener("pointermove", event => say(plot, nearest(plot, event), event));
  plot.addEventListener("pointerleave", event => say(plot, null, event));
});

// Pointing at a name lifts its curve out, with its bounds.
document.querySelectorAll(".legend li[data-series]").forEach(item => {
  const curves = item.closest("figure").querySelectorAll("svg.plot .series");
  const lift = on => curves.forEach(curve => {
    curve.classList.toggle("lifted", on && curve.dataset.series === item.dataset.series);
    curve.classList.toggle("dimmed", on && curve.dataset.series !== item.dataset.series);
  });
  item.addEventListener("pointerenter", () => lift(true));
  item.addEventListener("pointerleave", () => lift(false));
});
