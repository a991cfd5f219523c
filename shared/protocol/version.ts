/** Of the API description this program serves, and of the program itself. */
export const VERSION = '0.5.0'
/** The User-Agent of the commands of ./studio. */
export const COMMANDS_AGENT = 'voice-studio-commands'
