//! Folding of text for search: case and the Kazakh letters that a Russian
//! keyboard lacks, so that "казы" finds "Қазы".

/// The text in the form in which search compares it.
pub(crate) fn fold(text: &str) -> String {
    text.chars()
        .flat_map(char::to_lowercase)
        .map(fold_letter)
        .collect()
}

/// Whether every word of the folded query is somewhere in the folded text.
pub(crate) fn matches(folded: &str, query: &str) -> bool {
    query.split_whitespace().all(|word| folded.contains(word))
}

fn fold_letter(letter: char) -> char {
    match letter {
        'ә' => 'а',
        'ғ' => 'г',
        'қ' => 'к',
        'ң' => 'н',
        'ө' => 'о',
        'ұ' | 'ү' => 'у',
        'һ' => 'х',
        'і' => 'и',
        'ё' => 'е',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kazakh_letters_are_found_by_russian_ones() {
        assert!(matches(&fold("Қазы мен ірімшік"), &fold("КАЗЫ иримшик")));
        assert!(matches(&fold("Лағман үйі"), &fold("лагман")));
        assert!(!matches(&fold("Лағман"), &fold("манты")));
        assert!(matches(&fold("ხაჭაპური"), &fold("ხაჭ")));
    }
}
