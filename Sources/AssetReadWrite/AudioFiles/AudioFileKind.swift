internal import Foundation
package import MediaAsset
internal import MediaCore
package import MediaEngine

/// Which kind of file a client wants sound written to.
struct AudioFileKind {
    let fileType: AVFileType

    /// - Throws: `AVError.incorrectlyConfigured` for kinds of files that are not written, and if nothing says which.
    init(_ url: URL, _ settings: [String: Any]) throws(AVError) {
        if let asked = try Values(settings).whole(AVAudioFileTypeKey, in: Int(Int32.min)...Int(UInt32.max)) {
            let code = AudioFileTypeID(truncatingIfNeeded: asked)
            guard let type = Self.types[code] else {
                throw AVError(
                    .incorrectlyConfigured, reason: "sound is not written to files of type \(fourCharacters(code))")
            }
            fileType = type
            return
        }
        guard let type = AVFileType(filenameExtension: url.pathExtension), type.isWritable,
            type.holdsSoundOnly || Self.alsoForSound.contains(type)
        else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "sound is not written to files with the extension '\(url.pathExtension.prefix(20))'")
        }
        fileType = type
    }

    /// Whether PCM that says nothing of the order of its bytes has the higher one first.
    var prefersBigEndian: Bool { [.aiff, .aifc].contains(fileType) }

    private static let types: [AudioFileTypeID: AVFileType] = [
        kAudioFileAIFFType: .aiff, kAudioFileAIFCType: .aifc, kAudioFileWAVEType: .wav, kAudioFileCAFType: .caf,
        kAudioFileMPEG4Type: .mp4, kAudioFileM4AType: .m4a, kAudioFileM4BType: .m4a, kAudioFileMP3Type: .mp3,
        kAudioFileFLACType: .flac, kAudioFileAC3Type: .ac3,
    ]

    private static let alsoForSound: Set<AVFileType> = [.mp4, .mov, .matroska, .webM, .ogg]
}
