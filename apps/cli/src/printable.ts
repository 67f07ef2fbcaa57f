/** Nothing that was named by others steers the terminal. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?');
