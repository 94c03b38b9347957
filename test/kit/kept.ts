/** What a worker keeps from one test file to the next: not a leak of the file that started it. */
export const kept = { children: 0 };
