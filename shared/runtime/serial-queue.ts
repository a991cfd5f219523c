// One change at a time: whoever asks while another change is under way waits until it has ended, well or badly.
export function createSerial(): <T>(change: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (change) => {
    const mine = last.then(change, change)
    last = mine.catch(() => {})
    return mine
  }
}
