internal import ArgumentParser
internal import Foundation

/// Numbers of tracks as people list them.
package struct TrackList: ExpressibleByArgument {
    package let numbers: [Int32]

    package init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int32($0.trimmingCharacters(in: .whitespaces)) }
        guard numbers.count == parts.count, numbers.allSatisfy({ $0 > 0 }) else { return nil }
        self.numbers = numbers
    }
}
