import Foundation

/// The files of the project, found from where this file was compiled.
enum ProjectFiles {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The files below some folders or files of the project, by their path in it, in order.
  static func list(_ places: [String]) -> [String] {
    var files: [String] = []
    for place in places {
      let url = root.appendingPathComponent(place)
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else { continue }
      guard isDirectory.boolValue else {
        files.append(place)
        continue
      }
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []
      for name in names where !name.contains("__pycache__") {
        var isDirectory: ObjCBool = false
        let path = url.appendingPathComponent(name).path
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue {
          files.append(place + "/" + name)
        }
      }
    }
    return files.sorted()
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
  }
}
