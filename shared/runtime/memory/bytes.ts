export const MIB = 2 ** 20
export const GIB = 2 ** 30
/** Decimal unit, in which disks and downloads are counted. */
export const GB = 1e9
