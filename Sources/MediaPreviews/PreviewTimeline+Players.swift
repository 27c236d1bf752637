public import MediaCore

extension PreviewTimeline {
    /// What players count from that are given such a file itself.
    ///
    /// Browsers show the timestamps that the container has: a WebM that begins at
    /// 5 s begins at 5 s in a `<video>`. Transport streams and what else browsers
    /// do not open reach them through players that put the first picture at zero.
    ///
    /// - Parameter container: The container's names, as FFmpeg spells them.
    public static func ofPlayers(container: String) -> PreviewTimeline {
        Container(rawValue: container).has(.playsInBrowsers) ? .container : .asset
    }
}
