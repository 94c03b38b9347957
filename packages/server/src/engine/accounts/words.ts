/** A time as Drover's messages say it. */
export const clockWords = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;
