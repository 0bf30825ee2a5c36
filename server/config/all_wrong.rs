//! `dastarkhan check` reads settings on after a wrong one, and tells all that can't be read at once.

use std::ffi::OsString;

use clap::{
    Arg, ArgMatches, Command, CommandFactory as _, FromArgMatches as _,
    error::{ContextKind, ContextValue, ErrorKind},
    parser::ValueSource,
};

use super::{Cli, secrets::without_secrets};

/// The one command that is for finding what is wrong.
const CHECK: &str = "check";
/// Stands for a required setting that can't be read.
const NOTHING: &str = "http://nothing.invalid";

/// A setting that can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Its variable.
    pub name: String,
    /// What is wrong with it.
    pub why: String,
}

/// What was read.
#[derive(Debug)]
pub struct Read {
    /// What to do, with its settings.
    pub cli: Cli,
    /// Those that were given, for the log: `LISTEN=0.0.0.0:80 PROFILE=production`. All others have their defaults.
    pub given: String,
    /// Those that can't be read.
    pub wrong: Vec<Wrong>,
}

/// Reads the command line and the environment. What is wrong ends the process with a message, but for `check`: there the
/// setting is as if it were left out, and is told with the answer.
#[must_use]
pub fn read(words: Vec<OsString>) -> Read {
    // A negative number is a wrong value of its setting, which the message names, and no flag of its own.
    let mut command = Cli::command().mut_subcommands(|command| {
        command.mut_args(|setting| match setting.get_long() {
            Some(_) => setting.allow_negative_numbers(true),
            None => setting,
        })
    });
    if words.get(1).is_none_or(|word| word != CHECK) {
        let (cli, given) = command
            .try_get_matches_from_mut(words)
            .and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, given(&command, &matches))))
            .unwrap_or_else(|error| end(&error));
        return Read {
            cli,
            given,
            wrong: Vec::new(),
        };
    }
    let mut words = words;
    let mut wrong: Vec<Wrong> = Vec::new();
    loop {
        let error = match command.clone().try_get_matches_from(&words) {
            Ok(matches) => match Cli::from_arg_matches(&matches) {
                Ok(cli) => {
                    let given = given(&command, &matches);
                    return Read { cli, given, wrong };
                }
                Err(error) => error,
            },
            Err(error) => error,
        };
        let Some(flag) = flag(&error) else {
            end(&error);
        };
        let name = flag.replace('-', "_").to_uppercase();
        // Left out already: it is something else.
        if wrong.iter().any(|known| known.name == name) {
            end(&error);
        }
        let why = why(&error);
        wrong.push(Wrong { name, why });
        words = without(words, &flag);
        command = command.mut_subcommand(CHECK, |check| {
            check.mut_arg(flag.replace('-', "_"), left_out)
        });
    }
}

/// The settings of a command that were given by flag or variable, by the names of their variables. Of those that may hold
/// a secret it is only said that they are set.
fn given(command: &Command, matches: &ArgMatches) -> String {
    let Some((name, matches)) = matches.subcommand() else {
        return String::new();
    };
    let settings = command.find_subcommand(name).into_iter();
    let given = settings.flat_map(Command::get_arguments).filter_map(|one| {
        let (id, name) = (one.get_id().as_str(), one.get_env()?.to_string_lossy());
        let source = matches.value_source(id)?;
        if !matches!(source, ValueSource::CommandLine | ValueSource::EnvVariable) {
            return None;
        }
        if one.is_hide_env_values_set() {
            return Some(format!("{name}=…"));
        }
        // Each for itself: nothing but its address may end a host.
        let values = matches.get_raw(id)?;
        let shown = values.map(|value| without_secrets(&value.to_string_lossy()));
        Some(format!("{name}={}", shown.collect::<Vec<_>>().join(",")))
    });
    given.collect::<Vec<_>>().join(" ")
}

/// Ends the process as [`clap::Error::exit`] does. A value that is refused is shown, the secrets in it are not.
fn end(error: &clap::Error) -> ! {
    let text = error.render().to_string();
    let shown = without_secrets(&text);
    // The help is no error: it is for standard output, and its examples are no secrets.
    if !error.use_stderr() || shown == text {
        error.exit();
    }
    eprint!("{shown}");
    std::process::exit(error.exit_code());
}

fn left_out(setting: Arg) -> Arg {
    let setting = setting.env(None::<&'static str>);
    if setting.is_required_set() {
        setting.required(false).default_value(NOTHING)
    } else {
        setting
    }
}

/// The long name of the setting that an error is about, if leaving it out would help.
fn flag(error: &clap::Error) -> Option<String> {
    if !matches!(
        error.kind(),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::MissingRequiredArgument
    ) {
        return None;
    }
    let shown = match error.get(ContextKind::InvalidArg)? {
        ContextValue::String(shown) => shown,
        ContextValue::Strings(all) => all.first()?,
        _ => return None,
    };
    let name = shown.strip_prefix("--")?;
    let end = name.find([' ', '=']).unwrap_or(name.len());
    Some(name[..end].to_owned())
}

/// In one line, without what every such message says.
fn why(error: &clap::Error) -> String {
    let text = without_secrets(&error.render().to_string());
    let text = text.split("\n\nUsage:").next().unwrap_or_default();
    let text = text.split("\n\nFor more").next().unwrap_or_default();
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}

/// The command line without a flag and its value.
fn without(words: Vec<OsString>, flag: &str) -> Vec<OsString> {
    let (alone, with_value) = (format!("--{flag}"), format!("--{flag}="));
    let mut skip = false;
    words
        .into_iter()
        .filter(|word| {
            let text = word.to_string_lossy();
            let is_value = std::mem::replace(&mut skip, text == alone);
            !is_value && text != alone && !text.starts_with(&with_value)
        })
        .collect()
}
