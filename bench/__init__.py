"""What the project claims about speed, measured again with one command: `make bench`."""
