import Glibc

/// Why the system does not let a database be opened or written, in words that name the file to look at.
enum DatabaseObstacle {
  /// The first obstacle at `path`; nil where there is none to be seen.
  static func at(_ path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard isFolder(folder) else {
      return access(folder, F_OK) == 0
        ? "'\(folder)' is not a folder" : "there is no folder '\(folder)'; create it with: mkdir -p '\(folder)'"
    }
    if isFolder(path) { return "'\(path)' is a folder, not a database" }
    for file in [path, path + "-wal", path + "-shm"] where access(file, F_OK) == 0 {
      if access(file, R_OK) != 0 { return "'\(file)' may not be read by this user" }
      if access(file, W_OK) != 0 { return "'\(file)' is read-only for this user" }
    }
    if access(folder, W_OK | X_OK) != 0 {
      return "the folder '\(folder)' is read-only for this user, and files beside the database must be written"
    }
    return nil
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
