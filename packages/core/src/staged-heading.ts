/** The line of a diff after which staged changes follow that the working tree doesn't have. */
export const stagedHeading = "Staged for the next commit; the working tree differs:";
