// Hostile repetitions of all pairs of marks through every pure function that reads the text of users.
import { growsWithTheText } from '#test/fuzz/growth.ts'
import { PAIRS } from '#test/fuzz/text-entrances.ts'

growsWithTheText(PAIRS)
