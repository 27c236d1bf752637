// What tracks say of their shape is in transforms: who reads one may use its members.
@_exported public import MediaCore
