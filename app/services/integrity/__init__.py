"""Whether what is stored is sound: matches replayed, scores, results and standings worked out anew, chains followed."""
