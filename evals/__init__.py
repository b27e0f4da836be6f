"""Cases, scorers, runner and report: how good a decider is, as data. It draws nothing."""
