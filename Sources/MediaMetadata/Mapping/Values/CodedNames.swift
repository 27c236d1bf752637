/// Names for values that iTunes writes as numbers.
struct CodedNames: Sendable {
    private let names: [(number: Int, name: String)]

    /// What kind of thing a file is, iTunes' `stik`.
    static let mediaTypes = CodedNames(names: [
        (0, "home-video"), (1, "music"), (2, "audiobook"), (5, "bookmark"), (6, "music-video"), (9, "movie"),
        (10, "tv-show"), (11, "booklet"), (14, "ringtone"), (21, "podcast"), (23, "itunes-u"),
    ])
    /// Whether content is explicit, iTunes' `rtng`.
    static let advisories = CodedNames(names: [(0, "none"), (1, "explicit"), (2, "clean")])

    /// The names in the order of their numbers.
    var all: [String] { names.map(\.name) }

    /// The name of a number; numbers without one stand for themselves.
    func name(of number: Int) -> String { names.first { $0.number == number }?.name ?? String(number) }

    /// The number of a name or of a number's digits, `nil` if it is none.
    ///
    /// Case, spaces, hyphens and underscores do not count: `TV Show` is `tv-show`.
    func number(of text: String) -> Int? {
        let wanted = MetadataFieldTable.canonical(text)
        return names.first { MetadataFieldTable.canonical($0.name) == wanted }?.number
            ?? Int(text).flatMap { (0...255).contains($0) ? $0 : nil }
    }
}
