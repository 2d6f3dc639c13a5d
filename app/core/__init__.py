"""The vocabulary of the program. Standard library only; knows no engine, no window and no disk."""
