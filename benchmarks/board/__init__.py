"""What the scoreboard runs: the kernels of one library a module, each with easy and awkward values of its parameters."""
