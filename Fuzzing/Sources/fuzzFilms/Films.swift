internal import AssetExport
internal import Foundation
internal import FuzzDriver
internal import ImageGeneration
internal import MediaAsset
internal import MediaCore
internal import MediaIO
internal import MediaImage

/// The process's entry, as the package manager names it for this module.
@_cdecl("fuzzFilms_main")
public func fuzzFilmsMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    FuzzDriver.run(count, arguments, ["films": openFilm])
}

/// The whole way from opening a file to its stills and to the plan of an export.
private func openFilm(_ bytes: [UInt8]) {
    guard let memory = bytes.withUnsafeBytes({ MemoryFile($0) }) else { return }
    let url = URL(fileURLWithPath: memory.path)
    wait { await work(on: url) }
    if let pictures = CGImageSourceCreateWithURL(url as NSURL, nil), CGImageSourceGetCount(pictures) > 0 {
        _ = CGImageSourceCopyPropertiesAtIndex(pictures, 0, nil)
        _ = CGImageSourceCreateImageAtIndex(pictures, 0, nil)
    }
}

private func work(on url: URL) async {
    let asset = AVURLAsset(url: url)
    guard let description = try? await asset.loadDescription() else { return }
    _ = try? await asset.load(.metadata)
    let generator = AVAssetImageGenerator(asset: asset)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    generator.allowsDamagedPictures = true
    generator.maximumSize = CGSize(width: 64, height: 64)
    let middle = CMTimeMultiplyByRatio(description.duration, multiplier: 1, divisor: 2)
    for await _ in generator.stills(for: [.zero, middle]) {}
    guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough) else { return }
    _ = try? await session.plan(for: .mov)
}

/// Blocks until some asynchronous work is done.
private func wait(for work: @escaping @Sendable () async -> Void) {
    let end = DispatchSemaphore(value: 0)
    Task {
        await work()
        end.signal()
    }
    end.wait()
}
