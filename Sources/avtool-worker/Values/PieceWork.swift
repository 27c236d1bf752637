internal import AVToolCommands
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A share of the work on a film, or what joins all of them.
struct PieceWork: Codable, Sendable {
    let piece: WorkPiece
    /// Where the piece goes that is to be made; `nil` if none is.
    let made: String?
    /// Where the pieces lie that are to be joined.
    let joined: [String]
    /// A digest of what is asked for.
    private let settings: String

    /// `nil` for a command that does all by itself.
    init?(_ command: some PieceMaking & Sendable) {
        guard let piece = command.sharing.piece else { return nil }
        self.piece = piece
        (made, joined) = (command.sharing.made, command.sharing.joined ?? [])
        settings = CommandSettings(of: command).digestOfPieces
    }

    /// What the piece is a share of.
    func head(_ kind: PieceHead.Kind, of film: String) throws -> PieceHead {
        guard let fingerprint = FileFingerprint(of: SourceFile.url(film)) else {
            throw Failure(.usage, "only the work on what is a file can be shared")
        }
        let maker = (["avtool \(AVTool.version)"] + MediaFormats.libraryVersions).joined(separator: ", ")
        return PieceHead(
            kind, maker: maker, settings: settings, film: fingerprint.digest, index: piece.index ?? 0,
            count: piece.count)
    }

    /// The pieces that are to be joined.
    func set(_ kind: PieceHead.Kind, of film: String, limits: MediaLimits) throws -> PieceSet {
        PieceSet(joined, of: try head(kind, of: film), limits: limits)
    }

    /// What `--json` prints of a piece.
    func json(of source: String) -> JSONPiece {
        JSONPiece(source: source, piece: piece.index ?? 0, pieces: piece.count, file: made ?? "")
    }

    /// The line for people.
    var line: String { "\((made ?? "").oneLine): piece \(piece.index ?? 0) of \(piece.count)" }
}

/// A piece as JSON has it.
struct JSONPiece: Codable {
    let source: String
    /// Which one, from 0.
    let piece: Int
    let pieces: Int
    let file: String
}
