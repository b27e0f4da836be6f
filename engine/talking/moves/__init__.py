"""What a message does where no way of saying settles it: everything noticed, weighed together."""
