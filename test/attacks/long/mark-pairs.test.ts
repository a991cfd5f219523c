// Hostile repetitions of all pairs of marks through every pure function that reads the text of users.
import { growsWithTheText } from '#test/fuzz/texts/growth.ts'
import { PAIRS } from '#test/fuzz/texts/text-entrances.ts'

growsWithTheText(PAIRS)
