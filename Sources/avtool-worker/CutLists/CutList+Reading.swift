package import MediaCore

extension CutList {
    /// Reads what another program wrote.
    ///
    /// Times are exact. LosslessCut's CSV of frame numbers looks like its CSV of seconds, and is read as that.
    ///
    /// - Parameters:
    ///   - bytes: The whole file: UTF-8, or UTF-16 with a byte order mark.
    ///   - fileName: Its name, whose extension decides where the content leaves a doubt.
    ///   - frames: How the film's frames are numbered, for lists of frames and timecodes; `nil` if that is not known.
    /// - Throws: An error that names the line, if anything is not as the format has it, or asks for what cutting cannot
    ///   do.
    package init(reading bytes: [UInt8], fileName: String, frames: TimecodeScale?) throws(CutListError) {
        let text = try ListText(bytes)
        guard let format = Format(of: text, fileName: fileName) else {
            let names = Format.allCases.map(\.name).joined(separator: ", ")
            throw CutListError("this is no cut list of a known kind: \(names)")
        }
        self =
            switch format {
            case .losslessCutCSV, .losslessCutTSV: try LosslessCutTable.parse(text, as: format)
            case .losslessCutProject: try LosslessCutProject.parse(text)
            case .cmx3600: try CMXList.parse(text, frames: frames)
            case .mplayer: try MPlayerList.parse(text, frames: frames)
            case .mpv: try MPVList.parse(text)
            case .comskip: try ComskipList.parse(text, frames: frames)
            case .cueSheet: try CueSheet.parse(text)
            }
        if segments.isEmpty { throw CutListError("there are no segments in this \(format.name)") }
    }
}
