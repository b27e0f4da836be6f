"""Messages whose form alone makes plain what is meant: announced, wanted, to be changed, taken back."""
