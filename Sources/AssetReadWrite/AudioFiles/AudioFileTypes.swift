/// The kind of a file of sound, by a code of four characters: a value of `AVAudioFileTypeKey`.
public typealias AudioFileTypeID = UInt32

/// AIFF.
public let kAudioFileAIFFType: AudioFileTypeID = 0x4149_4646
/// AIFF that may be compressed.
public let kAudioFileAIFCType: AudioFileTypeID = 0x4149_4643
/// WAVE.
public let kAudioFileWAVEType: AudioFileTypeID = 0x5741_5645
/// WAVE of more than 4 GB by the European Broadcasting Union.
///
/// - Note: Files of this type are not written, unlike in AVFoundation.
public let kAudioFileRF64Type: AudioFileTypeID = 0x5246_3634
/// WAVE of more than 4 GB by the International Telecommunication Union.
///
/// - Note: Files of this type are not written, unlike in AVFoundation.
public let kAudioFileBW64Type: AudioFileTypeID = 0x4257_3634
/// WAVE of more than 4 GB by Sony.
///
/// - Note: Files of this type are not written, unlike in AVFoundation.
public let kAudioFileWave64Type: AudioFileTypeID = 0x5736_3466
/// Core Audio format.
public let kAudioFileCAFType: AudioFileTypeID = 0x6361_6666
/// MPEG-4.
public let kAudioFileMPEG4Type: AudioFileTypeID = 0x6D70_3466
/// MPEG-4 that holds sound only.
public let kAudioFileM4AType: AudioFileTypeID = 0x6D34_6166
/// MPEG-4 that holds an audio book.
public let kAudioFileM4BType: AudioFileTypeID = 0x6D34_6266
/// MPEG layer 3.
public let kAudioFileMP3Type: AudioFileTypeID = 0x4D50_4733
/// Free Lossless Audio Codec.
public let kAudioFileFLACType: AudioFileTypeID = 0x666C_6163
/// Dolby Digital.
public let kAudioFileAC3Type: AudioFileTypeID = 0x6163_2D33
/// AAC in a stream without a container.
///
/// - Note: Files of this type are not written, unlike in AVFoundation.
public let kAudioFileAAC_ADTSType: AudioFileTypeID = 0x6164_7473
