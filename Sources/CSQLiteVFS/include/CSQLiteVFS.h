#pragma once
// A layer over SQLite's own file access: it keeps a database mapped from one snapshot to the next, and leaves room on the
// disk for what the log holds. docs/decisions/0013 has the reasons and why it is safe.

/// The name by which connections ask for the layer.
const char *csqlitevfs_name(void);

/// Makes the layer known to the library; gives an SQLite status. To be called before the first connection is opened.
int csqlitevfs_register(void);
