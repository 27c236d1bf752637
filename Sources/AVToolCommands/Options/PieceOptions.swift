package import ArgumentParser
package import MediaIO

/// A command whose work on one film can be shared among several processes, that leave pieces for one that joins them.
package protocol PieceMaking {
    var sharing: PieceOptions { get }
}

/// Which share of the work on a film is to be done.
package struct PieceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Do one share of N of the work on a film, counted from 0, and leave what came of it in --pieces; all/N makes the \
            result of what is there. The result is the same as without.
            """, valueName: "k/n"))
    package var piece: WorkPiece?

    @Option(help: ArgumentHelp("The folder for pieces, which is made where there is none.", valueName: "folder"))
    package var pieces: String?

    /// Where the piece goes that is to be made; `nil` if none is.
    package var made: String? { piece.flatMap { piece in piece.index.map { name(of: $0, piece.count) } } }

    /// Where the pieces lie that are to be joined; `nil` if none are.
    package var joined: [String]? {
        guard let piece, piece.index == nil else { return nil }
        return (0..<piece.count).map { name(of: $0, piece.count) }
    }

    private func name(of index: Int, _ count: Int) -> String { "\(pieces ?? ".")/\(index)-of-\(count).avpiece" }

    /// Lets a piece be made, or all of them be read.
    package func add(to grants: inout FileGrants) {
        if let made { grants.results = [ResultRule(literals: [made])] }
        for piece in joined ?? [] { grants.add(input: piece) }
    }

    package func validate() throws {
        guard (piece == nil) == (pieces == nil) else { throw ValidationError("--piece goes with --pieces.") }
    }

    /// Says what does not go together with one film in pieces.
    package func validate(fileCount: Int, toStandardOutput: Bool) throws {
        guard piece != nil else { return }
        guard fileCount <= 1 else { throw ValidationError("--piece takes a single file.") }
        guard piece?.index == nil || !toStandardOutput else {
            throw ValidationError("--piece leaves its share in --pieces, not on standard output.")
        }
    }

    package init() {}
}
