/// What a command line asks for that divides work, does a part of it, or joins the parts.
package enum UnitsRequest: Sendable {
    case plan(PlanCommand)
    case unit(UnitCommand)
    case merge(MergeCommand)
}
