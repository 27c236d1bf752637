// Checks a picked video before it is posted; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

enum VideoOrientation: String {
    case portrait, portraitUpsideDown, landscapeLeft, landscapeRight
}

extension AVAsset {
    func videoOrientation() -> (orientation: VideoOrientation, isFront: Bool)? {
        guard let track = tracks(withMediaType: .video).first else { return nil }
        let t = track.preferredTransform
        if t.a == 0 && t.b == 1.0 && t.d == 0 { return (.portrait, t.c == 1.0) }
        if t.a == 0 && t.b == -1.0 && t.d == 0 { return (.portraitUpsideDown, t.c == -1.0) }
        if t.a == 1.0 && t.b == 0 && t.c == 0 { return (.landscapeRight, t.d == -1.0) }
        if t.a == -1.0 && t.b == 0 && t.c == 0 { return (.landscapeLeft, t.d == 1.0) }
        return nil
    }

    /// The size in which the picture is shown.
    var presentedSize: CGSize {
        guard let track = tracks(withMediaType: .video).first else { return .zero }
        let rect = CGRect(origin: .zero, size: track.naturalSize).applying(track.preferredTransform)
        return CGSize(width: abs(rect.width), height: abs(rect.height))
    }
}

class VideoPicker {
    struct Limits {
        var maximumDuration: TimeInterval = 60
        var maximumBytes: Int64 = 100 * 1024 * 1024
        var minimumSide: CGFloat = 100
    }

    enum Problem: Equatable {
        case tooLong(by: TimeInterval)
        case tooBig(Int64)
        case tooSmall(CGSize)
        case noPicture
        case notReadable
    }

    struct PickedVideo {
        let asset: AVURLAsset
        let size: CGSize
        let orientation: VideoOrientation
        let angle: Int
        let fittingRect: CGRect
    }

    var limits = Limits()

    func pick(_ url: URL, completion: @escaping (PickedVideo?, [Problem]) -> Void) {
        let asset = AVURLAsset(url: url)
        asset.loadValuesAsynchronously(forKeys: ["tracks", "duration"]) {
            guard asset.statusOfValue(forKey: "tracks", error: nil) == .loaded else {
                return completion(nil, [.notReadable])
            }
            guard let track = asset.tracks(withMediaType: .video).first else { return completion(nil, [.noPicture]) }
            let problems = self.problems(of: asset)
            guard problems.isEmpty else { return completion(nil, problems) }
            let radians = atan2(track.preferredTransform.b, track.preferredTransform.a)
            let size = asset.presentedSize
            let screen = CGRect(x: 0, y: 0, width: 300, height: 300)
            completion(
                PickedVideo(
                    asset: asset, size: size, orientation: asset.videoOrientation()?.orientation ?? .landscapeRight,
                    angle: Int((radians * 180 / .pi).rounded()),
                    fittingRect: AVMakeRect(aspectRatio: size, insideRect: screen)),
                [])
        }
    }

    private func problems(of asset: AVURLAsset) -> [Problem] {
        var problems: [Problem] = []
        let seconds = asset.duration.seconds
        if seconds > limits.maximumDuration { problems.append(.tooLong(by: seconds - limits.maximumDuration)) }
        let bytes = (try? asset.url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
        if Int64(bytes) > limits.maximumBytes { problems.append(.tooBig(Int64(bytes))) }
        let size = asset.presentedSize
        if min(size.width, size.height) < limits.minimumSide { problems.append(.tooSmall(size)) }
        return problems
    }
}
