package import FFmpegKit
package import MediaContainers

/// Which of the packets from an entry point to the wanted picture have to be
/// decoded: those that it is predicted from, and those that these are.
package struct DependencyPlan {
    package enum Role {
        /// Decoded as it is.
        case decoded
        /// A reference of pictures that nobody wants: the decoder gets its headers at most.
        case hollow
        /// Nothing refers to it: the decoder need not know of it.
        case skipped
    }

    /// The packet of the wanted picture; nothing after it is needed.
    package let wanted: Int64
    /// When it is shown.
    let wantedTicks: Int64
    private var needed: Set<Int64>
    private var pictures: [Int64: ReferringPicture]
    /// The decoder did not take what it was given.
    var hasFailed = false

    /// - Returns: `nil` if the references of one of the packets cannot be told.
    package init?(
        packets: [(packet: Packet, number: Int64)], wanted: Int64, shownAt ticks: Int64,
        references: any PictureReferences
    ) {
        var references = references
        pictures = [:]
        for (packet, number) in packets {
            guard let picture = references.add(packet, number: number) else { return nil }
            pictures[number] = picture
            if number == wanted { break }
        }
        guard pictures[wanted] != nil else { return nil }
        (self.wanted, wantedTicks) = (wanted, ticks)
        needed = [wanted]
        var open = [wanted]
        while let number = open.popLast() {
            for other in pictures[number]?.refersTo ?? [] where needed.insert(other).inserted { open.append(other) }
        }
    }

    package func role(of number: Int64) -> Role {
        if needed.contains(number) { return .decoded }
        return number < wanted && pictures[number]?.isReference == true ? .hollow : .skipped
    }

    func isHollow(_ number: Int64) -> Bool { role(of: number) == .hollow }

    package func picture(of number: Int64) -> ReferringPicture? { pictures[number] }
}
