/** Cases of the test data whose expected words we reject, as `language written`, each with its reason. */
export const REJECTED: ReadonlyMap<string, string> = new Map([])
