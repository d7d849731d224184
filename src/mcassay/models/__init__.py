"""Models with their samplers, written the way the checks want them: distributions, model and general-purpose sampler apart."""
