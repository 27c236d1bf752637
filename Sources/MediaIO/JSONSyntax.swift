package import Foundation

/// Finds where a document breaks JSON's grammar, for messages that help to mend it.
package enum JSONSyntax {
    /// The place of the first error, as people count: `line 3, column 1`, `its end`; `nil` if there is none.
    package static func placeOfError(in document: Data) -> String? {
        do {
            _ = try JSONSerialization.jsonObject(with: document, options: .fragmentsAllowed)
            return nil
        } catch {
            let description = (error as NSError).userInfo["NSDebugDescription"] as? String ?? ""
            guard let match = description.firstMatch(of: /character ([0-9]+)/), let offset = Int(match.1) else {
                // Without a place, something is missing.
                return "its end"
            }
            let before = document.prefix(min(max(0, offset), document.count))
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
            return "line \(line), column \(column)"
        }
    }
}
