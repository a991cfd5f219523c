/** Of the API description this program serves, and of the program itself. */
export const VERSION = '0.5.0'
