internal import MediaCore

/// What a piece is a share of: pieces that are joined differ in which one they are, and in nothing else.
package struct PieceHead: MessageValue, Hashable {
    package enum Kind: String, Sendable {
        case stills
        case packets
    }

    package let kind: Kind
    /// The versions of what made it.
    package let maker: String
    /// A digest of what was asked for.
    package let settings: String
    /// A digest of what tells the film's version.
    package let film: String
    /// Which one it is, from 0, and of how many.
    package let index: Int
    package let count: Int

    package init(_ kind: Kind, maker: String, settings: String, film: String, index: Int, count: Int) {
        (self.kind, self.maker, self.settings, self.film) = (kind, maker, settings, film)
        (self.index, self.count) = (index, count)
    }

    package func write(to message: inout MessageWriter) {
        for text in [kind.rawValue, maker, settings, film] { message.put(text) }
        message.put(index)
        message.put(count)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        guard let kind = Kind(rawValue: try message.text()) else { throw MessageError() }
        self.kind = kind
        (maker, settings, film) = (try message.text(), try message.text(), try message.text())
        (index, count) = (try message.integer(), try message.integer())
    }
}

/// A piece that is none, or not the one that is wanted.
package struct PieceError: BridgedError {
    package let path: String
    package let reason: String

    package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }
}
