internal import AVToolCommands

extension JSONLine {
    /// Writes a line to standard output.
    static func print(_ value: any Encodable) throws { try Console.print(try text(value)) }
}
