internal import MediaIO

extension TextSample {
    /// A sample of a QuickTime text track as 3GPP timed text has it.
    ///
    /// Both begin with a count and the text. QuickTime's text may be of the Roman encoding, and what follows it is of
    /// another form, but for addresses.
    ///
    /// - Returns: `nil` if the sample has not even a count; `isPlain` tells whether nothing but text was there.
    static func timedText(ofQuickTime bytes: [UInt8]) -> (bytes: [UInt8], isPlain: Bool)? {
        guard !bytes.isEmpty else { return ([], true) }
        guard let sample = TextSample(bytes) else { return nil }
        // QuickTime ends lines as the Macintosh did.
        let text = sample.text.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
            .split(separator: "\r", omittingEmptySubsequences: false).joined(separator: "\n")
        let utf8 = text.utf8Prefix(maximumTextSize)
        var result: [UInt8] = []
        result.append(bigEndian: UInt16(utf8.count))
        result += utf8
        let length = 2 + Int(bytes.bigEndian16(at: 0) ?? 0)
        return (result, bytes.count <= length || isEncodingAlone(bytes.dropFirst(length)))
    }

    /// Whether what follows a text tells its encoding and nothing else.
    private static func isEncodingAlone(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 12 && bytes.fourCC(at: 4) == "encd"
    }
}
