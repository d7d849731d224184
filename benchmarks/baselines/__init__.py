"""Other ways to test a sampler, implemented from their papers. All of them see the statistics that the wager sees."""
