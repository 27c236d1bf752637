internal import ArgumentParser
internal import Foundation
internal import MediaIO
package import MediaMetadata

/// An argument that is `NAME=VALUE` or a file.
///
/// It is no assignment without an `=`, nor if it names an existing file or cannot be a name.
package enum AssignmentOrFile: ExpressibleByArgument {
    case assignment(Written<MetadataAssignment>)
    case file(String)

    package init(argument: String) {
        let canBeName = argument.first.map { !["=", "/", "."].contains($0) } ?? false
        self =
            canBeName && argument.contains("=") && !FileManager.default.exists(argument)
            ? .assignment(Written(argument: argument)) : .file(argument)
    }

    package var assignment: Written<MetadataAssignment>? {
        if case .assignment(let assignment) = self { assignment } else { nil }
    }

    package var file: String? {
        if case .file(let file) = self { file } else { nil }
    }
}
