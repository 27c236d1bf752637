internal import FFmpegKit
package import MediaIO

/// Which file a worker is to read, and how: what an asset was made with.
package struct AssetOpening: MessageValue {
    package let path: String
    let policy: SafetyPolicy
    let prefersPreciseDuration: Bool
    let readsPipesWhole: Bool
    let videoTrackID: Int32?

    init(
        path: String, policy: SafetyPolicy, prefersPreciseDuration: Bool, readsPipesWhole: Bool, videoTrackID: Int32?
    ) {
        (self.path, self.policy) = (path, policy)
        (self.prefersPreciseDuration, self.readsPipesWhole) = (prefersPreciseDuration, readsPipesWhole)
        self.videoTrackID = videoTrackID
    }

    /// The file behind an asset that is read in this process.
    var source: AssetSource {
        AssetSource(
            path: path, policy: policy, prefersPreciseDuration: prefersPreciseDuration,
            readsPipesWhole: readsPipesWhole, videoTrackID: videoTrackID)
    }

    package func write(to message: inout MessageWriter) {
        message.put(path)
        message.put(list: MediaLimits.Name.allCases) { message, name in
            message.put(name.rawValue)
            message.put(policy.limits[name])
        }
        message.put(policy.additionalFormats)
        message.put(policy.allowsNetwork)
        message.put(prefersPreciseDuration)
        message.put(readsPipesWhole)
        message.put(videoTrackID)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        path = try message.text()
        var policy = SafetyPolicy()
        let limits = try message.list { message throws(MessageError) in
            (name: try message.text(), value: try message.integer(Int64.self))
        }
        for limit in limits {
            guard let name = MediaLimits.Name(rawValue: limit.name) else { throw MessageError() }
            policy.limits[name] = limit.value
        }
        policy.additionalFormats = try message.texts()
        policy.allowsNetwork = try message.flag()
        self.policy = policy
        (prefersPreciseDuration, readsPipesWhole) = (try message.flag(), try message.flag())
        videoTrackID = try message.optionalInteger()
    }
}
