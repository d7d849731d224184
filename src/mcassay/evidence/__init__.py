"""Evidence from arrays: wagers, confidence sequences, bands and ranks; no subject in sight."""
