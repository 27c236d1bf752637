/// A command that reads boxes and tags, and needs media libraries at most for files that have neither.
///
/// To load them takes several times as long as the rest of it.
package protocol DecoderFreeCommand {}

extension MetadataShowCommand: DecoderFreeCommand {}
extension MetadataGetCommand: DecoderFreeCommand {}
extension MetadataSetCommand: DecoderFreeCommand {}
extension MetadataRemoveCommand: DecoderFreeCommand {}
extension MetadataArtworkCommand: DecoderFreeCommand {}
extension ChaptersRemoveCommand: DecoderFreeCommand {}
extension PresetsListCommand: DecoderFreeCommand {}
extension PresetsShowCommand: DecoderFreeCommand {}
extension PresetsCheckCommand: DecoderFreeCommand {}
