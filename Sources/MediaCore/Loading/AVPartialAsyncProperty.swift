/// A property of one kind of media object, whatever its value's type.
public class AVPartialAsyncProperty<Root>: AVAnyAsyncProperty, @unchecked Sendable {}
