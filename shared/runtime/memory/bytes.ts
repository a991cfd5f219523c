export const GIB = 2 ** 30
/** As disks and downloads are counted. */
export const GB = 1e9
