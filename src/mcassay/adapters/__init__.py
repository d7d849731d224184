"""Subjects made of the kernels of other libraries: one module a library, each an optional extra, imported when asked for."""
