package import ArgumentParser

extension ArgumentHelp {
    /// The help of an option that takes a list of times.
    ///
    /// - Parameter subject: What the times are.
    package static func timeList(_ subject: String) -> ArgumentHelp {
        ArgumentHelp(
            "\(subject), separated by commas: 0,1.5,1m30s,00:01:02.5,1/3,25%,#120,#-1,end-2s,end, or timecodes: 01:00:10:00, with ; before the frames of drop frame.",
            valueName: "list")
    }
}
