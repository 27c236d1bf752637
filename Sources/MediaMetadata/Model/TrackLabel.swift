/// What a track's headers say of it for those who choose among tracks: name, language, purpose.
package struct TrackLabel: Hashable, Sendable {
    /// What a track is for, beyond its kind.
    package struct Roles: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Subtitles for what is in another language than the sound, shown even to those who want none.
        package static let forced = Roles(rawValue: 1)
        /// For people who hear badly.
        package static let hearingImpaired = Roles(rawValue: 2)
        /// For people who see badly: sound that describes the pictures.
        package static let visualImpaired = Roles(rawValue: 4)
        package static let commentary = Roles(rawValue: 8)
        /// In the language that it was made in.
        package static let original = Roles(rawValue: 16)
        package static let dub = Roles(rawValue: 32)

        package static let all = Roles(names.map(\.role))

        /// Each role with its name for people.
        package static let names: [(role: Roles, name: String)] = [
            (.forced, "forced"), (.hearingImpaired, "hearing impaired"), (.visualImpaired, "visual impaired"),
            (.commentary, "commentary"), (.original, "original"), (.dub, "dub"),
        ]

        /// The names of those that it has.
        package var texts: [String] { Self.names.filter { contains($0.role) }.map(\.name) }
    }

    /// The number that `info` shows.
    package var trackID: Int64
    /// BCP 47; `nil` for none.
    package var languageTag: String?
    /// What players call the track.
    package var name: String?
    /// What MP4 and QuickTime files call the program part that plays it; few players show it.
    package var handlerName: String?
    package var roles: Roles
    /// Whether the track was made for this file by somebody else, so that all of it is written in the file's own way.
    package var isForeign = false

    package init(
        trackID: Int64, languageTag: String? = nil, name: String? = nil, handlerName: String? = nil, roles: Roles = []
    ) {
        self.trackID = trackID
        self.languageTag = languageTag
        self.name = name
        self.handlerName = handlerName
        self.roles = roles
    }
}
