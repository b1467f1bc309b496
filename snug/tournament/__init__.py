"""Tournaments: a plan and a log of what happened; a tournament is the fold of the log, and finished stages stay.

`plan` says what is played, `events` what can happen, `fold` folds, `seating` proposes who meets whom, `standings`
tells who is where and why, `statement` puts the plan into words before anybody signs up. Pure, as all rules: chance
comes from a seed text.
"""
