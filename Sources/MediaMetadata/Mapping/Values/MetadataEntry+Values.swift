extension MetadataEntry {
    /// Whether it is a picture that belongs to the whole file.
    package var isArtwork: Bool {
        guard case .data = value else { return false }
        return commonKey == .commonKeyArtwork
    }

    /// A pair such as track 3 of 12, for values that hold one as bytes.
    package var numberPair: (number: Int, count: Int)? {
        guard keySpace == .iTunes, [0x7472_6B6E, 0x6469_736B].contains(codeOfKey), case .data(let bytes) = value,
            let pair = NumberPair(bytes: bytes)
        else { return nil }
        return (pair.number ?? 0, pair.total ?? 0)
    }

    private var codeOfKey: UInt32 { if case .code(let code) = key { code } else { 0 } }

    /// Whether it names a language as a tag does, whatever code it has for that.
    package func saysLanguage(_ tag: String) -> Bool {
        guard let text, EntryMeaning(self, MatroskaLevels([self]))?.meaning == .field(.language) else { return false }
        return LanguageCodes.primary(text) == LanguageCodes.primary(tag)
    }
}
