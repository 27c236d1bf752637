public import Foundation
public import MediaCore
internal import Synchronization

/// The number of no track: with it, a composition chooses one for a new track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// An asset that is put together of pieces of other assets' tracks.
///
/// Its properties load as any asset's; stills, sheets and exports are made of it as of a file. The files are opened when
/// something of them is asked for, and have to stay as they are.
///
/// A composition does not change; ``AVMutableComposition`` does.
open class AVComposition: AVAsset, NSMutableCopying, @unchecked Sendable {
    // @unchecked Sendable: what changes is behind locks.

    let state: CompositionState
    private let parts = Mutex<[AVCompositionTrack]>([])

    init(_ content: CompositionContent) {
        state = CompositionState(content)
        super.init(source: AssetSource(composition: state))
        takeParts(of: content)
    }

    /// The object for one track.
    func makePart(_ track: CompositionContent.Track) -> AVCompositionTrack {
        AVCompositionTrack(state, track, source: source, of: self)
    }

    /// Has an object for each track, those that there were included.
    final func takeParts(of content: CompositionContent) {
        parts.withLock { parts in
            let known = parts
            parts = content.tracks.map { track in
                known.first { $0.trackID == track.trackID } ?? makePart(track)
            }
        }
        propertyStore.forget()
    }

    /// The objects of the tracks, in order.
    final var currentParts: [AVCompositionTrack] { parts.withLock { $0 } }

    override func makeTracks() throws -> [AVAssetTrack] { currentParts }

    /// A composition of the same content that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableComposition(state.content) }
}

extension AVAsynchronousKeyValueLoading where Self: AVComposition {
    /// The tracks, in the order in which they were added.
    public var tracks: [AVCompositionTrack] { currentParts }

    /// The track with a number, `nil` if there is none.
    public func track(withTrackID trackID: CMPersistentTrackID) -> AVCompositionTrack? {
        currentParts.first { $0.trackID == trackID }
    }

    /// The tracks of one kind, in order.
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVCompositionTrack] {
        currentParts.filter { $0.mediaType == mediaType }
    }

    /// The tracks whose media have a characteristic, in order.
    public func tracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) -> [AVCompositionTrack] {
        currentParts.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// The track with a number, `nil` if there is none.
    ///
    /// - Throws: Nothing: a composition knows its tracks.
    public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVCompositionTrack? {
        track(withTrackID: trackID)
    }

    /// The tracks of one kind, in order.
    ///
    /// - Throws: Nothing: a composition knows its tracks.
    public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVCompositionTrack] {
        tracks(withMediaType: mediaType)
    }

    /// The tracks whose media have a characteristic, in order.
    ///
    /// - Throws: Nothing: a composition knows its tracks.
    public func loadTracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> [AVCompositionTrack] {
        tracks(withMediaCharacteristic: mediaCharacteristic)
    }

    /// The size of the pictures in pixels, before they are turned: what the composition was given, else that of its first track
    /// of pictures.
    public var naturalSize: CGSize { currentNaturalSize }
}

extension AVComposition {
    var currentNaturalSize: CGSize {
        if let size = state.content.naturalSize { return size }
        let video = (try? state.describe())?.tracks.first { $0.mediaType == .video }?.video
        return video?.naturalSize ?? .zero
    }
}

extension AVPartialAsyncProperty where Root: AVComposition {
    /// The tracks, in the order in which they were added.
    public static var tracks: AVAsyncProperty<Root, [AVCompositionTrack]> {
        AVAsyncProperty(
            MediaProperty<AVAsset, _>("compositionTracks") { asset in
                (asset as? AVComposition)?.currentParts ?? []
            }
        ) { $0 }
    }
}
