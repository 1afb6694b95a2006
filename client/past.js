/** The past of a game on the page, from its log. */
import { ApiError, api } from "./api.js";

/** Where the log cannot be read, the past stays unknown. @param {import("./state.js").GameState} state */
export async function readPast(state) {
  // A version that comes while the log is on its way makes that log too short; the next answer has it.
  for (let attempt = 0; attempt < 3; attempt++) {
    const log = await api.log(state.snapshot.g).catch((error) => {
      if (error instanceof ApiError) return null;
      throw error;
    });
    if (log === null || state.learn(log)) return;
  }
}
