extension CutList {
    /// A way to write a cut list down.
    package enum Format: CaseIterable, Sendable {
        /// Start, end and name between commas, as LosslessCut and spreadsheets write them.
        case losslessCutCSV
        /// The same between tabs.
        case losslessCutTSV
        /// What LosslessCut keeps beside a film, in JSON5.
        case losslessCutProject
        /// Events of an edit decision list, as editing programs exchange them.
        case cmx3600
        /// What MPlayer and Kodi skip.
        case mplayer
        /// What mpv plays one after another.
        case mpv
        /// Commercials by their frames, as comskip finds them.
        case comskip
        /// The tracks of an album in one file.
        case cueSheet

        /// What people call it.
        package var name: String {
            switch self {
            case .losslessCutCSV: "LosslessCut CSV"
            case .losslessCutTSV: "LosslessCut TSV"
            case .losslessCutProject: "LosslessCut project"
            case .cmx3600: "CMX 3600 EDL"
            case .mplayer: "MPlayer EDL"
            case .mpv: "mpv EDL"
            case .comskip: "comskip list"
            case .cueSheet: "cue sheet"
            }
        }
    }
}
