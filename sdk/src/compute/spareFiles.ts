/** Beside a job's states: files that nobody needs any more, whose pages the training process writes its next states over. */
export const SPARE_FOLDER = "spare";
